--[[
  Claims the idempotency keys of a bulk's entries and adds those commands to their tenant's queue that nobody runs, all in one
  step and in their order. It counts no quota: the worker does, and a place to wait for would change the order.

  KEYS[1] wait          BullMQ's waiting list of the tenant's queue
  KEYS[2] queued        as in claim.lua
  KEYS[3...] of each entry: record, waiters, job, answer, as in claim.lua

  ARGV[1] running_ttl   ms
  ARGV[2] options       of the jobs, ARGV[3] their time (ms)
  ARGV[4] tenant
  ARGV[5...] of each entry: fingerprint, request id (also the job's), address, name of the job, its data

  Returns of each entry what claim.lua returns, but nothing of a quota.
]]
local claims = {}
for at = 3, #KEYS, 4 do
  local record, waiters, job = KEYS[at], KEYS[at + 1], KEYS[at + 2]
  local first = 5 + (at - 3) / 4 * 5
  local fingerprint, request, address = ARGV[first], ARGV[first + 1], ARGV[first + 2]
  local answer = redis.call('GET', KEYS[at + 3])
  local known = redis.call('HMGET', record, 'fingerprint', 'state', 'job', 'request')
  if known[2] == 'finished' then known = {} end -- by a worker of version 1.0: the command log has its answer
  local claim
  if answer then
    claim = answer:sub(1, 64) == fingerprint and { 'finished', answer:sub(65, 67), answer:sub(68) } or { 'mismatch' }
  elseif known[1] then
    if known[1] ~= fingerprint then
      claim = { 'mismatch' }
    elseif known[4] ~= request then
      redis.call('RPUSH', waiters, address)
      redis.call('PEXPIRE', waiters, ARGV[1])
      claim = { 'running', known[3] }
    elseif redis.call('EXISTS', job) == 1 then
      -- The client sent it again, since the answer was lost.
      claim = { 'fresh', '1' }
    end
  end
  if not claim then
    if not known[1] then redis.call('DEL', waiters) end
    redis.call('HSET', record, 'fingerprint', fingerprint, 'state', 'running', 'request', request, 'job', request)
    redis.call('PEXPIRE', record, ARGV[1])
    redis.call('HSET', job, 'name', ARGV[first + 3], 'data', ARGV[first + 4], 'opts', ARGV[2], 'timestamp', ARGV[3], 'delay', 0, 'priority', 0)
    local isFirst = redis.call('LPUSH', KEYS[1], request) == 1
    if isFirst then redis.call('SADD', KEYS[2], ARGV[4]) end
    claim = { 'fresh', isFirst and '1' or '0' }
  end
  claims[#claims + 1] = claim
end
return claims
