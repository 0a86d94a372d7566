--[[
  Settles a claim after the database has committed (or refused): keeps a success for replays, frees the key after a refusal, books or
  notes what the quota has spent. Other scripts include this file. Doing it twice does no harm.

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
  tag             of the shard

  Whoever settled calls `write_notes` before the script ends.

  Returns the addresses of the duplicates that wait for this outcome: those of another claim are left to it, or look after themselves.
]]
-- include memory-share.lua

-- What only rises, of all that is settled in a script, by key. It is there before anybody can find an answer.
local notes = {}
local function note(key, text, ttl)
  local number = tonumber(text)
  if notes[key] == nil or number > notes[key].number then notes[key] = { number = number, text = text, ttl = ttl } end
end
local function write_notes()
  for key, noted in pairs(notes) do
    -- Settlements may come in another order than their commits.
    if noted.number >= tonumber(redis.call('GET', key) or '0') then redis.call('SET', key, noted.text, 'PX', noted.ttl) end
  end
end

local function settle(s, spent_ttl, written_ttl, tag)
  if s.quota ~= '' and s.spent ~= '' then note(s.quota .. ':documents' .. s.generation, s.spent, spent_ttl) end
  -- Who has the answer may read what was written.
  if s.transaction ~= '' then note(s.written, s.transaction, written_ttl) end

  local waiters = s.record .. ':waiters'
  local claim = redis.call('HMGET', s.record, 'fingerprint', 'request')
  local theirs = claim[1] == s.fingerprint
  if s.outcome == 'refused' and claim[2] ~= s.request then return {} end
  if s.outcome ~= 'refused' and s.answer_ttl ~= '0' and memory_share(tag) < ANSWERS_SHARE_MAX then
    redis.call('SET', s.record .. ':answer' .. s.generation, s.fingerprint .. s.status .. s.body, 'PX', s.answer_ttl)
  end
  local waiting = theirs and redis.call('LRANGE', waiters, '0', '-1') or {}
  redis.call('DEL', s.record, waiters)
  return waiting
end
