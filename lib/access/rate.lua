--[[
  Takes one or more requests from a key's rate (GCRA): the key stores the "theoretical arrival time", the moment at which its
  whole burst is free again. The clock is this server's, so that all processes agree.

  KEYS[1] rate          that moment, in microseconds since 1970; expires when it is reached

  ARGV[1] interval      microseconds between two requests at the steady rate, a whole number
  ARGV[2] burst         requests that may come at once
  ARGV[3] count         requests to take if there is room, else as many as there is room for

  Returns { allowed (how many were taken), remaining (requests that may come at once now), reset (microseconds until the whole burst is
  free), retry_after (microseconds until one request may come; 0 when this one was allowed) }
]]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local span = interval * tonumber(ARGV[2])

-- Never further away than one burst: the limits may have been lowered, or the clock set back.
local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
local full_at = math.min(math.max(stored, now), now + span)
-- Kept, though nothing may be taken now: else it would be as far away for the next request, and a raised rate of no use.
if stored > full_at then redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil(span / 1000)) end

local room = math.floor((now + span - full_at) / interval)
if room < 1 then return { 0, 0, full_at - now, full_at + interval - span - now } end
local taken = math.min(room, tonumber(ARGV[3]))
local next_full_at = full_at + taken * interval
redis.call('SET', KEYS[1], string.format('%.0f', next_full_at), 'PX', math.ceil((next_full_at - now) / 1000))
return { taken, math.floor((now + span - next_full_at) / interval), next_full_at - now, 0 }
