--[[
  Notes the transaction of a tenant's write, unless a later one is noted.

  KEYS[1] written       the last transaction's id

  ARGV[1] transaction   a Postgres xid8; below 2^53, so that numbers compare exactly
  ARGV[2] ttl           ms

  Returns 1.
]]
if tonumber(ARGV[1]) >= tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
