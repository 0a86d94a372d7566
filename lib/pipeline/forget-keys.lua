--[[
  One step of a scan that removes keys. It is a script so that a cluster runs it on the node that holds the shard.

  KEYS[1]               any key of the shard; not read

  ARGV[1] cursor        '0' to begin
  ARGV[2] pattern       of the keys, glob style

  Returns the cursor ('0' when the scan is over).
]]
local step = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
for _, key in ipairs(step[2]) do redis.call('UNLINK', key) end
return step[1]
