--[[
  Takes requests from a key's rate (GCRA): the key stores the "theoretical arrival time", the moment at which its whole burst
  is free again. The clock is this server's, so that all processes agree.

  KEYS[1] rate          that moment, in microseconds since 1970; expires when it is reached

  ARGV[1] interval      microseconds between two requests at the steady rate, a whole number
  ARGV[2] burst         requests that may come at once
  ARGV[3] count         requests to take; fewer are taken where there is less room
  ARGV[4] ahead         requests to take beyond them, if there is room
  ARGV[5] unused        requests that were taken before and are given back
  ARGV[6] whole         '1': takes none if there is no room for all of `count`

  Returns { taken, reset (microseconds until the whole burst is free) }
]]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local span = interval * tonumber(ARGV[2])

local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
-- The moment is at most one burst away: the limits may have been lowered, or the clock set back.
local full_at = math.min(math.max(stored - interval * ARGV[5], now), now + span)

local taken = math.min(math.floor((now + span - full_at) / interval), ARGV[3] + ARGV[4])
if ARGV[6] == '1' and taken < tonumber(ARGV[3]) then taken = 0 end
local next_full_at = full_at + taken * interval
-- The moment is stored also when nothing is taken: requests were given back, or it was too far away for a raised rate.
if next_full_at ~= stored then
  redis.call('SET', KEYS[1], string.format('%.0f', next_full_at), 'PX', math.ceil((next_full_at - now) / 1000))
end
return { taken, next_full_at - now }
