--[[
  Takes one request from a key's rate (GCRA): the key stores the "theoretical arrival time", the moment at which its
  whole burst is free again. The clock is this server's, so that all processes agree.

  KEYS[1] rate          that moment, in microseconds since 1970; expires when it is reached

  ARGV[1] interval      microseconds between two requests at the steady rate, a whole number
  ARGV[2] burst         requests that may come at once

  Returns { allowed (0|1), remaining (requests that may come at once now), reset (microseconds until the whole burst is
  free), retry_after (microseconds until one request may come; 0 when this one was allowed) }
]]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local span = interval * tonumber(ARGV[2])

-- Never further away than one burst: the limits may have been lowered, or the clock set back.
local full_at = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now), now + span)

local next_full_at = full_at + interval
if next_full_at - now > span then
  return { 0, 0, full_at - now, next_full_at - span - now }
end
redis.call('SET', KEYS[1], string.format('%.0f', next_full_at), 'PX', math.ceil((next_full_at - now) / 1000))
return { 1, math.floor((now + span - next_full_at) / interval), next_full_at - now, 0 }
