--[[
  Notes a failed authentication of an address, unless the address already had too many in the window. Failures over the limit
  are not noted, so that the time to wait stays as it was answered.

  KEYS[1] failed        list of the times (ms since 1970) of the last failures, the newest first

  ARGV[1] limit         failures that one window allows
  ARGV[2] window        ms

  Returns the ms to wait when the limit is exceeded, else 0.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])

-- The oldest failure that counts. While it is inside the window, the window is full.
local oldest = tonumber(redis.call('LINDEX', KEYS[1], limit - 1) or -math.huge)
-- A time in the future (the clock was set back) must not lock an address out for long.
if oldest <= now and oldest + window > now then return oldest + window - now end

redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, limit - 1)
redis.call('PEXPIRE', KEYS[1], window)
return 0
