--[[
  One step of a scan for queues. It is a script so that a cluster runs it on the node that holds the shard.

  KEYS[1]               any key of the shard; not read

  ARGV[1] cursor        '0' to begin
  ARGV[2] pattern       of the keys, glob style

  Returns { cursor ('0' when the scan is over), key ... }: the lists among a thousand keys or so.
]]
local step = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000, 'TYPE', 'list')
return { step[1], unpack(step[2]) }
