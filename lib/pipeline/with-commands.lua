--[[
  Tells which of the tenants have commands in their queues, and corrects the shard's set of such tenants by them. Whoever adds a
  command to an empty queue adds the tenant to the set in the same step (claim.lua, enqueue.lua); nobody but this takes
  it out, so that the set holds at least all tenants with commands, after every crash.

  KEYS[1] queued        the set

  ARGV[1] queues        what the keys of the tenants' queues begin with
  ARGV[2...] tenants

  Returns those with commands.
]]
local found = {}
for at = 2, #ARGV do
  local queue = ARGV[1] .. ARGV[at]
  if redis.call('EXISTS', queue .. ':wait', queue .. ':active') > 0 then
    found[#found + 1] = ARGV[at]
    redis.call('SADD', KEYS[1], ARGV[at])
  else
    redis.call('SREM', KEYS[1], ARGV[at])
  end
end
return found
