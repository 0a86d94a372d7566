--[[
  Puts commands that were taken and not run back to where they were, before all that wait; those that another holder ended
  meanwhile stay gone. Notes, where that is said, that the tenant is slow, or that it is not any more.

  KEYS[1] wait, KEYS[2] active    BullMQ's lists of the queue
  KEYS[3] slow                    stands while the tenant's commands run alone (take.lua)

  ARGV[1] slow_ttl      ms; '0' ends the mark, '' leaves it as it is: a tenant that only waits for its turn is no slower for that
  ARGV[2...] job ids    in their order

  Returns how many were put back.
]]
if ARGV[1] == '0' then
  redis.call('DEL', KEYS[3])
elseif ARGV[1] ~= '' then
  redis.call('SET', KEYS[3], '1', 'PX', ARGV[1])
end
local back = 0
for at = #ARGV, 2, -1 do
  if redis.call('LREM', KEYS[2], '-1', ARGV[at]) > 0 then
    redis.call('RPUSH', KEYS[1], ARGV[at])
    back = back + 1
  end
end
return back
