--[[
  Puts commands that were taken and not run back before all waiting ones. Commands that another worker has ended meanwhile
  stay gone. May also mark the tenant as slow, or remove the mark.

  KEYS[1] wait, KEYS[2] active    BullMQ's lists of the queue
  KEYS[3] slow                    the mark: exists while the tenant's commands run alone (take.lua)

  ARGV[1] slow_ttl      ms; '0' removes the mark, '' leaves it: waiting for a turn does not make a tenant slower
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
