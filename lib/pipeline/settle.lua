--[[
  Settles a claim after the database has committed (or refused): keeps a success for replays, frees the key after a refusal,
  books or frees the quota, and hands over the duplicates that wait. Doing it twice does no harm.

  KEYS[1] record, KEYS[2] waiters, KEYS[3] spent, KEYS[4] reserved: as in claim.lua
  KEYS[5] written       the tenant's last transaction, as in written.lua
  KEYS[6] answer        as in claim.lua

  ARGV[1] request id
  ARGV[2] fingerprint
  ARGV[3] outcome       'done' | 'replayed' | 'refused'
  ARGV[4] status
  ARGV[5] body          deflated; '' for none
  ARGV[6] finished_ttl  ms; 0 keeps no answer
  ARGV[7] spent         documents of the quota by now, by the command log; '' where they were not counted
  ARGV[8] spent_ttl     ms
  ARGV[9] transaction   the one that wrote it, or found it written; '' for none
  ARGV[10] written_ttl  ms

  Returns the addresses of the duplicates that wait for this outcome: those of another claim are left to it, or look after
  themselves.
]]
-- include memory-share.lua

redis.call('ZREM', KEYS[4], ARGV[1])
-- Settlements may come in another order than their commits.
if ARGV[7] ~= '' and tonumber(ARGV[7]) > tonumber(redis.call('GET', KEYS[3]) or -1) then
  redis.call('SET', KEYS[3], ARGV[7], 'PX', ARGV[8])
end

-- Before anybody can find the answer: who has it may read what was written.
if ARGV[9] ~= '' and tonumber(ARGV[9]) >= tonumber(redis.call('GET', KEYS[5]) or 0) then
  redis.call('SET', KEYS[5], ARGV[9], 'PX', ARGV[10])
end

local claim = redis.call('HMGET', KEYS[1], 'fingerprint', 'request')
local theirs = claim[1] == ARGV[2]
if ARGV[3] == 'refused' and claim[2] ~= ARGV[1] then return {} end
redis.call('DEL', KEYS[1])
if ARGV[3] ~= 'refused' and tonumber(ARGV[6]) > 0 and memory_share() < ANSWERS_SHARE_MAX then
  redis.call('SET', KEYS[6], ARGV[2] .. ARGV[4] .. ARGV[5], 'PX', ARGV[6])
end

local waiters = theirs and redis.call('LRANGE', KEYS[2], 0, -1) or {}
redis.call('DEL', KEYS[2])
return waiters
