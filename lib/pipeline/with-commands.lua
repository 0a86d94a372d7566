--[[
  Finds which of the tenants have commands in their queues, and corrects the shard's set of such tenants. Adding a command to an
  empty queue adds the tenant to the set in the same step (claim.lua, enqueue.lua). Only this script removes tenants. So the set
  contains at least all tenants with commands, even after a crash.

  KEYS[1] queued        the set

  ARGV[1] queues        prefix of the keys of the tenants' queues
  ARGV[2...] tenants

  Returns the tenants with commands.
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
