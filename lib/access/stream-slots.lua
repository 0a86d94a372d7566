--[[
  Takes slots for event streams of a key, or renews them. A slot that is not renewed expires, for example when its process
  was killed. The clock is this server's, so that all processes agree.

  KEYS[1] streams       sorted set: stream, by the time at which its slot expires (ms since 1970)

  ARGV[1] limit         streams that the key may have
  ARGV[2] ttl           ms until a slot expires
  ARGV[3..] streams     their names

  Returns 1, or 0 when no slot is free.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = tonumber(ARGV[2])

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
-- A stream with a slot keeps it, because a caller may repeat a call whose answer was lost.
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) and not redis.call('ZSCORE', KEYS[1], ARGV[3]) then return 0 end
for at = 3, #ARGV do redis.call('ZADD', KEYS[1], now + ttl, ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ttl)
return 1
