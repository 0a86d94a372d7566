--[[
  Claims the idempotency keys of commands of one tenant and adds those that nobody has to its queue, all in one step and in their
  order. Where a limit is given each of them needs a place in that daily quota. A bulk gives none: its worker counts, and a place
  that had to be waited for would change the order.

  KEYS[1] wait          BullMQ's waiting list of the tenant's queue
  KEYS[2] queued        set of the shard's tenants with commands in their queues, as in with-commands.lua
  KEYS[3] spent         how many documents the quota has spent today by the command log; it only rises
  KEYS[4] reserved      sorted set of the request ids in flight, scored by the time at which a place falls free again (ms)
  KEYS[5...] of each command:
    record              hash: fingerprint, state (running; finished: by a worker of version 1.0), request, job (as the request)
    waiters             list of addresses that want the first one's answer
    answer              of a success: its fingerprint (64 characters), its status (3), its deflated body
    job                 BullMQ's hash of the job

  ARGV[1] running_ttl   ms
  ARGV[2] limit         documents a day; '' where none is counted
  ARGV[3] spent         as the command log has it; '' where nobody asked it
  ARGV[4] spent_ttl     ms
  ARGV[5] options       of the jobs, ARGV[6] their time (ms)
  ARGV[7] tenant
  ARGV[8] ready         what the keys of the shard's ready queue begin with
  ARGV[9] ready job     its id there, ARGV[10] its data, ARGV[11] its options
  ARGV[12...] of each command: fingerprint, request id (also the job's), address (where a waiting duplicate wants the answer),
    name of the job, its data

  Returns of each command three texts, the last of them empty where there is no more to say:
    'fresh', '1' where the tenant is to be made ready: nothing waited, and this could not do it
    'running', job
    'finished', status, deflated body
    'full': Redis has too little room left; nothing was changed for this command
    'mismatch' | 'quota_exceeded' | 'quota_reserved' (by commands in flight, of which some may yet be refused) | 'quota_unknown'
]]
-- include memory-share.lua
local limit = tonumber(ARGV[2])
local tenant, ready, ready_job = ARGV[7], ARGV[8], ARGV[9]

-- One answer for all commands of this call.
local full
local function is_full()
  if full == nil then full = memory_share() > COMMANDS_SHARE_MAX end
  return full
end

-- Adds the tenant's job to the ready queue as BullMQ's own script does (addStandardJob), in the usual case: nobody has the tenant. All
-- others are left to that. Which keys and fields of BullMQ the scripts of this folder use: docs/decisions/0001.
local function make_ready()
  if redis.call('HEXISTS', ready .. 'meta', 'paused') == 1 then return false end
  if not redis.call('SET', ready .. 'de:' .. tenant, ready_job, 'NX') then return false end
  redis.call('HSET', ready .. ready_job, 'name', 'drain', 'data', ARGV[10], 'opts', ARGV[11], 'timestamp', ARGV[6], 'delay', 0, 'priority', 0, 'deid', tenant)
  redis.call('LPUSH', ready .. 'wait', ready_job)
  redis.call('ZADD', ready .. 'marker', 0, '0')
  return true
end

-- Of the command whose keys begin at KEYS[k], and its arguments at ARGV[a].
local function claim(k, a)
  local record, waiters, answer, job = KEYS[k], KEYS[k + 1], KEYS[k + 2], KEYS[k + 3]
  local fingerprint, request, address, name, data = ARGV[a], ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4]
  local answered = redis.call('GET', answer)
  if answered then
    if answered:sub(1, 64) ~= fingerprint then return 'mismatch' end
    return 'finished', answered:sub(65, 67), answered:sub(68)
  end

  local known = redis.call('HMGET', record, 'fingerprint', 'state', 'job', 'request')
  if known[2] == 'finished' then known = {} end -- the command log has its answer
  if known[1] then
    if known[1] ~= fingerprint then return 'mismatch' end
    if known[4] ~= request then
      redis.call('RPUSH', waiters, address)
      redis.call('PEXPIRE', waiters, ARGV[1])
      return 'running', known[3]
    end
    -- The client sent it again, since the answer was lost.
    if redis.call('EXISTS', job) == 1 then return 'fresh', '1' end
  end

  if is_full() then return 'full' end
  if limit then
    local spent = tonumber(redis.call('GET', KEYS[3]) or ARGV[3])
    if not spent then return 'quota_unknown' end
    if ARGV[3] ~= '' then
      spent = math.max(spent, tonumber(ARGV[3]))
      redis.call('SET', KEYS[3], spent, 'PX', ARGV[4])
    end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
    if redis.call('ZSCORE', KEYS[4], request) == false then
      if spent >= limit then return 'quota_exceeded' end
      if spent + redis.call('ZCARD', KEYS[4]) >= limit then return 'quota_reserved' end
      -- As long as the claim: the place of a server that died is not held any longer.
      redis.call('ZADD', KEYS[4], now + tonumber(ARGV[1]), request)
      redis.call('PEXPIRE', KEYS[4], 2 * tonumber(ARGV[1]))
    end
  end

  -- Whoever waited with a claim that is gone looks after its command itself.
  if not known[1] then redis.call('DEL', waiters) end
  redis.call('HSET', record, 'fingerprint', fingerprint, 'state', 'running', 'request', request, 'job', request)
  redis.call('PEXPIRE', record, ARGV[1])
  redis.call('HSET', job, 'name', name, 'data', data, 'opts', ARGV[5], 'timestamp', ARGV[6], 'delay', 0, 'priority', 0)
  if redis.call('LPUSH', KEYS[1], request) > 1 then return 'fresh', '0' end
  redis.call('SADD', KEYS[2], tenant)
  return 'fresh', make_ready() and '0' or '1'
end

local claims = {}
for at = 0, #KEYS / 4 - 2 do
  local kind, first, body = claim(5 + 4 * at, 12 + 5 * at)
  claims[3 * at + 1], claims[3 * at + 2], claims[3 * at + 3] = kind, first or '', body or ''
end
return claims
