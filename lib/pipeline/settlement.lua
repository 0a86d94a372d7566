--[[
  Settles a claim after the database has committed (or refused): keeps a success for replays, frees the key after a refusal, books or
  frees the quota. Other scripts include this file. Doing it twice does no harm.

  s       what to settle, by name:
    request, fingerprint, outcome ('done' | 'replayed' | 'refused'), status
    body            deflated; '' for none
    answer_ttl      ms; '0' keeps no answer
    transaction     the one that wrote it, or found it written; '' for none
    spent           documents of the quota by now, by the command log; '' where they were not counted
    record          its key, as in claim.lua
    quota           what the quota's keys begin with; '' for none
    written         key of the tenant's last transaction, as in last-writes.lua
    generation      what the keys end with that tell of commits
  spent_ttl, written_ttl    ms

  Returns the addresses of the duplicates that wait for this outcome: those of another claim are left to it, or look after themselves.
]]
-- include memory-share.lua
local function settle(s, spent_ttl, written_ttl)
  if s.quota ~= '' then
    redis.call('ZREM', s.quota .. ':reserved', s.request)
    -- Settlements may come in another order than their commits.
    local spent = s.quota .. ':documents' .. s.generation
    if s.spent ~= '' and tonumber(s.spent) > tonumber(redis.call('GET', spent) or -1) then
      redis.call('SET', spent, s.spent, 'PX', spent_ttl)
    end
  end

  -- Before anybody can find the answer: who has it may read what was written.
  if s.transaction ~= '' and tonumber(s.transaction) >= tonumber(redis.call('GET', s.written) or 0) then
    redis.call('SET', s.written, s.transaction, 'PX', written_ttl)
  end

  local waiters = s.record .. ':waiters'
  local claim = redis.call('HMGET', s.record, 'fingerprint', 'request')
  local theirs = claim[1] == s.fingerprint
  if s.outcome == 'refused' and claim[2] ~= s.request then return {} end
  if s.outcome ~= 'refused' and s.answer_ttl ~= '0' and memory_share() < ANSWERS_SHARE_MAX then
    redis.call('SET', s.record .. ':answer' .. s.generation, s.fingerprint .. s.status .. s.body, 'PX', s.answer_ttl)
  end
  local waiting = theirs and redis.call('LRANGE', waiters, 0, -1) or {}
  redis.call('DEL', s.record, waiters)
  return waiting
end
