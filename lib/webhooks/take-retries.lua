--[[
  Takes subscriptions whose next retry is due out of the retry queue, the earliest first. It is one step: between a look and a
  removal another process could take the entry and note a later one.

  KEYS[1] retries       a sorted set of <tenant>:<subscription> by the time of the next attempt, in ms since 1970

  ARGV[1] now           ms since 1970
  ARGV[2] limit

  Returns the members.
]]
local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
if #due > 0 then redis.call('ZREM', KEYS[1], unpack(due)) end
return due
