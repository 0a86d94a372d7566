--[[
  Ends commands of tenants of one shard, in one step: settles their claims, removes their jobs, and takes each tenant's next commands or,
  where none wait, ends its lease.

  KEYS[1] wait          BullMQ's list of the shard's ready queue

  ARGV[1] tag           of the shard
  ARGV[2] spent_ttl, ARGV[3] written_ttl    ms
  ARGV[4] time          ms
  ARGV[5] call          its key, as in take.lua
  ARGV[6...] of each tenant:
    tenant
    abandoned           what to take next, as in take.lua; '': nothing, and the lease continues
    max                 as in take.lua
    ready job, token    the lease; '' for none
    how many claims, and for each the fields of `settle`, in its order
    how many jobs, and their ids

  Returns for each tenant { what `take` of take.lua returns, then for each claim the addresses of its waiting duplicates }. Where the lease
  is lost nothing is taken: another worker continues.
]]
-- include memory-share.lua
-- include take.lua

-- Values that only rise, collected from all settlements of one call, by key. They are written before a caller can find an answer.
local notes = {}
local function note(key, text, ttl)
  local number = tonumber(text)
  if notes[key] == nil or number > notes[key].number then notes[key] = { number = number, text = text, ttl = ttl } end
end
local function write_notes()
  for key, noted in pairs(notes) do
    -- Settlements may arrive in another order than their commits.
    if noted.number >= tonumber(redis.call('GET', key) or '0') then redis.call('SET', key, noted.text, 'PX', noted.ttl) end
  end
end

-- Settles a claim after the database has committed (or refused): keeps a success for replays, frees the key after a refusal, notes what the
-- quota has spent. Settling twice does no harm. Call `write_notes` before the script ends. Fields of `s`:
--   request, fingerprint, outcome ('done' | 'refused'), status
--   body            deflated; '' for none
--   answer_ttl      ms; '0' keeps no answer
--   transaction     of the write, or of the look-up that found it; '' for none
--   spent           documents of the quota by now, by the command log; '' where they were not counted
--   record          its key, as in claim.lua
--   quota           prefix of the quota's keys; '' for none
--   written         key of the tenant's last transaction, as in last-writes.lua
--   generation      suffix of keys that depend on commits
-- Returns the addresses of the duplicates that wait for this outcome. Duplicates of another claim wait for its outcome, or look after
-- themselves.
local function settle(s, spent_ttl, written_ttl, tag)
  if s.quota ~= '' and s.spent ~= '' then note(s.quota .. ':documents' .. s.generation, s.spent, spent_ttl) end
  -- A caller with the answer may read what was written.
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

local at = 5
local function argument()
  at = at + 1
  return ARGV[at]
end

local tag = ARGV[1]
local ready = tag .. ':ready:'

local function is_held(job, token) return job == '' or redis.call('GET', ready .. job .. ':lock') == token end

-- Ends the job as BullMQ's moveToFinished does. If commands wait, puts it back as moveJobFromActiveToWait does. A server that saw this job
-- added no other: its command is among those that were just looked for.
local function end_lease(tenant, job, waits)
  redis.call('SREM', ready .. 'stalled', job)
  redis.call('LREM', ready .. 'active', '-1', job)
  if waits then
    redis.call('DEL', ready .. job .. ':lock')
    -- The tenant waits from now on: metrics and the doctor report the tenant that has waited longest.
    redis.call('HSET', ready .. job, 'timestamp', ARGV[4])
    redis.call('LPUSH', ready .. 'wait', job)
    if redis.call('HEXISTS', ready .. 'meta', 'paused') == 0 then redis.call('ZADD', ready .. 'marker', '0', '0') end
  else
    local own = redis.call('GET', ready .. 'de:' .. tenant) == job and 'de:' .. tenant or job
    redis.call('DEL', ready .. job .. ':lock', ready .. job, ready .. own)
  end
end

-- For each tenant, the notes that were written or will be written.
local noted, notes, has_taken = nil, {}, false
local function take_next(tenant, queue, max, abandoned)
  if noted == nil then noted = noted_of(ARGV[5]) end
  local taken, took = take(queue, max, abandoned, noted and noted:sub(tenant, tenant))
  notes[tenant] = took
  has_taken = has_taken or #taken > 2
  return taken
end

local tenants = {}
while at < #ARGV do
  local tenant, abandoned, max, job, token = argument(), argument(), tonumber(argument()), argument(), argument()
  local queue = tag .. ':t' .. tenant .. ':'
  local ended = { { 0, 0 } }
  for claim = 1, tonumber(argument()) do
    ended[claim + 1] = settle({
      request = argument(), fingerprint = argument(), outcome = argument(), status = argument(), body = argument(),
      answer_ttl = argument(), transaction = argument(), spent = argument(),
      record = argument(), quota = argument(), written = argument(), generation = argument(),
    }, ARGV[2], ARGV[3], tag)
  end
  for _ = 1, tonumber(argument()) do
    local id = argument()
    redis.call('LREM', queue .. 'active', '-1', id)
    redis.call('DEL', queue .. id)
  end
  notes[#tenants + 1] = '0'
  if abandoned ~= '' and is_held(job, token) then
    ended[1] = take_next(#tenants + 1, queue, max, abandoned)
    if #ended[1] == 2 and job ~= '' then end_lease(tenant, job, ended[1][1] > 0) end
  end
  tenants[#tenants + 1] = ended
end
write_notes()
if has_taken and not noted then note_call(ARGV[5], table.concat(notes)) end
return tenants
