--[[
  Claims an idempotency key and, where the endpoint counts documents, a place in the key's daily quota, and adds the command to its
  tenant's queue, in one step.

  KEYS[1] record        hash: fingerprint, state (running; finished: by a worker of version 1.0), request, job
  KEYS[2] waiters       list of addresses that want the first one's answer
  KEYS[3] spent         how many documents the quota has spent today by the command log; it only rises
  KEYS[4] reserved      sorted set of the request ids in flight, scored by the time at which a place falls free again (ms)
  KEYS[5] wait          BullMQ's waiting list of the tenant's queue
  KEYS[6] job           BullMQ's hash of the job
  KEYS[7] answer        of a success: its fingerprint (64 characters), its status (3), its deflated body
  KEYS[8] queued        set of the shard's tenants with commands in their queues, as in with-commands.lua

  ARGV[1] fingerprint
  ARGV[2] request id
  ARGV[3] job id
  ARGV[4] address       where a waiting duplicate wants the answer
  ARGV[5] running_ttl   ms
  ARGV[6] limit         documents a day, or -1 where none is counted
  ARGV[7] spent         as the command log has it; '' where nobody asked it
  ARGV[8] spent_ttl     ms
  ARGV[9] name          of the job, ARGV[10] its data, ARGV[11] its options, ARGV[12] its time (ms)
  ARGV[13] tenant

  Returns {'fresh', '1' where nothing waited: the tenant is to be made ready} | {'running', job} | {'finished', status, deflated body} | {'mismatch'} | {'quota_exceeded'} |
  {'quota_reserved'} (by commands in flight, of which some may yet be refused) | {'quota_unknown'}
]]
local answer = redis.call('GET', KEYS[7])
if answer then
  if answer:sub(1, 64) ~= ARGV[1] then return { 'mismatch' } end
  return { 'finished', answer:sub(65, 67), answer:sub(68) }
end

local record = redis.call('HMGET', KEYS[1], 'fingerprint', 'state', 'job', 'request')
if record[2] == 'finished' then record = {} end -- the command log has its answer
if record[1] then
  if record[1] ~= ARGV[1] then return { 'mismatch' } end
  if record[4] ~= ARGV[2] then
    redis.call('RPUSH', KEYS[2], ARGV[4])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
    return { 'running', record[3] }
  end
  -- The client sent it again, since the answer was lost.
  if redis.call('EXISTS', KEYS[6]) == 1 then return { 'fresh', '1' } end
end

local limit = tonumber(ARGV[6])
if limit >= 0 then
  local spent = tonumber(redis.call('GET', KEYS[3]) or ARGV[7])
  if not spent then return { 'quota_unknown' } end
  if ARGV[7] ~= '' then
    spent = math.max(spent, tonumber(ARGV[7]))
    redis.call('SET', KEYS[3], spent, 'PX', ARGV[8])
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
  if redis.call('ZSCORE', KEYS[4], ARGV[2]) == false then
    if spent >= limit then return { 'quota_exceeded' } end
    if spent + redis.call('ZCARD', KEYS[4]) >= limit then return { 'quota_reserved' } end
    -- As long as the claim: the place of a server that died is not held any longer.
    redis.call('ZADD', KEYS[4], now + tonumber(ARGV[5]), ARGV[2])
    redis.call('PEXPIRE', KEYS[4], 2 * tonumber(ARGV[5]))
  end
end

-- Whoever waited with a claim that is gone looks after its command itself.
if not record[1] then redis.call('DEL', KEYS[2]) end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'state', 'running', 'request', ARGV[2], 'job', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('HSET', KEYS[6], 'name', ARGV[9], 'data', ARGV[10], 'opts', ARGV[11], 'timestamp', ARGV[12], 'delay', 0, 'priority', 0)
local isFirst = redis.call('LPUSH', KEYS[5], ARGV[3]) == 1
if isFirst then redis.call('SADD', KEYS[8], ARGV[13]) end
return { 'fresh', isFirst and '1' or '0' }
