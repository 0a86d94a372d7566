--[[
  Claims the idempotency keys of commands. Commands whose key nobody has claimed are added to their tenants' queues in the same step.
  Commands of a set belong to one tenant and are claimed in their order. With a limit, a command whose daily quota is known to be spent is
  refused. The worker decides on quotas: it counts under the tenant's lock (lib/work/quotas.ts).

  KEYS[1] queued        set of the shard's tenants with commands in their queues, as in with-commands.lua

  ARGV[1] tag           of the shard
  ARGV[2] options       of all jobs, ARGV[3] their time (ms)
  ARGV[4...] of each set:
    tenant
    running_ttl         ms
    limit               documents a day; '' where none is counted
    how many commands, and of each:
      record            its hash: fingerprint, state (running), request, job (as the request)
      quota             prefix of the quota's keys; '' for none. `:documents` counts today's documents by the command log, and only rises
      generation        suffix of keys that depend on commits: `:documents`, and `:answer` of the record. The latter contains a success:
                        its fingerprint (64 characters), its status (3), its deflated body
      fingerprint, request id (also the job's), address (where a waiting duplicate wants the answer; `:waiters` of the record)
      name              of the job, and its data

  Returns three texts for each command; the last ones may be empty:
    'fresh', '1' where the caller must make the tenant ready: nothing waited, and this script could not do it
    'running', job
    'finished', status, deflated body
    'full': Redis has too little room left; nothing was changed for this command
    'mismatch' | 'quota_exceeded'
]]
-- include memory-share.lua
local at = 3
local function argument()
  at = at + 1
  return ARGV[at]
end

local tag, options, time = ARGV[1], ARGV[2], ARGV[3]
local ready = tag .. ':ready:'

local paused
local function is_paused()
  if paused == nil then paused = redis.call('HEXISTS', ready .. 'meta', 'paused') == 1 end
  return paused
end

-- Adds the tenant's job to the ready queue, as BullMQ's own script does (addStandardJob). A tenant that has a job needs no other: its
-- worker looks for commands again when the lease ends. docs/decisions/0001 lists the keys and fields of BullMQ that the scripts of this
-- folder use.
local function make_ready(tenant, request)
  if is_paused() then return false end
  local job = 'r' .. tenant .. '-' .. request
  local data = '{"tenantId":"' .. tenant .. '"}'
  local opts = options:sub(1, -2) .. ',"de":{"id":"' .. tenant .. '"},"jobId":"' .. job .. '"}'
  local held = redis.call('GET', ready .. 'de:' .. tenant)
  if held and redis.call('EXISTS', ready .. held) == 1 then return true end
  redis.call('SET', ready .. 'de:' .. tenant, job)
  redis.call('HSET', ready .. job, 'name', 'drain', 'data', data, 'opts', opts, 'timestamp', time, 'delay', '0', 'priority', '0', 'deid', tenant)
  redis.call('LPUSH', ready .. 'wait', job)
  redis.call('ZADD', ready .. 'marker', '0', '0')
  return true
end

local spent = {}
local function spent_of(documents)
  spent[documents] = spent[documents] or tonumber(redis.call('GET', documents) or '0')
  return spent[documents]
end

local function claim(tenant, running_ttl, limit)
  local record, quota, generation = argument(), argument(), argument()
  local fingerprint, request, address, name, data = argument(), argument(), argument(), argument(), argument()
  local queue = tag .. ':t' .. tenant .. ':'
  local answered = redis.call('GET', record .. ':answer' .. generation)
  if answered then
    if answered:sub(1, 64) ~= fingerprint then return 'mismatch' end
    return 'finished', answered:sub(65, 67), answered:sub(68)
  end

  local known = redis.call('HMGET', record, 'fingerprint', 'state', 'job', 'request')
  if known[1] then
    if known[1] ~= fingerprint then return 'mismatch' end
    if known[4] ~= request then
      redis.call('RPUSH', record .. ':waiters', address)
      redis.call('PEXPIRE', record .. ':waiters', running_ttl)
      return 'running', known[3]
    end
    -- The client repeated the call because the answer was lost.
    if redis.call('EXISTS', queue .. request) == 1 then return 'fresh', '1' end
  end

  if memory_share(tag) > COMMANDS_SHARE_MAX then return 'full' end
  if limit then
    if spent_of(quota .. ':documents' .. generation) >= limit then return 'quota_exceeded' end
  end

  -- Requests that waited for a claim that is gone check their commands themselves.
  if not known[1] then redis.call('DEL', record .. ':waiters') end
  redis.call('HSET', record, 'fingerprint', fingerprint, 'state', 'running', 'request', request, 'job', request)
  redis.call('PEXPIRE', record, running_ttl)
  redis.call('HSET', queue .. request, 'name', name, 'data', data, 'opts', options, 'timestamp', time, 'delay', '0', 'priority', '0')
  if redis.call('LPUSH', queue .. 'wait', request) > 1 then return 'fresh', '0' end
  redis.call('SADD', KEYS[1], tenant)
  return 'fresh', make_ready(tenant, request) and '0' or '1'
end

local claims = {}
while at < #ARGV do
  local tenant, running_ttl, limit = argument(), argument(), tonumber(argument())
  for _ = 1, tonumber(argument()) do
    local kind, first, body = claim(tenant, running_ttl, limit)
    claims[#claims + 1], claims[#claims + 2], claims[#claims + 3] = kind, first or '', body or ''
  end
end
return claims
