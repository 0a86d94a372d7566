--[[
  Takes the oldest commands out of a tenant's queue, in their order, as BullMQ's moveToActive would one by one. What a
  holder that died left active comes first, and alone: it may be what the holder died of. Each run of it counts with the job.
  Only whoever holds the tenant may ask for it, and only when all that it took is finished.

  KEYS[1] wait, KEYS[2] active, KEYS[3] meta    BullMQ's lists and settings of the queue
  KEYS[4] slow          stands while the tenant's commands are handed out one by one (put-back.lua)

  ARGV[1] jobs          what the keys of the jobs' hashes begin with
  ARGV[2] max           commands in all, and what else of the last one's bulk waits behind it; '0' only counts
  ARGV[3] left          '1': with those that are active already, and counts a run of what it returns of them; '2': without counting

  Returns { waiting (how many more may be taken), slow ('1' or '0'), then of each command: job id, data, attempt (1 for the first) }
]]
local max = tonumber(ARGV[2])
local slow = redis.call('EXISTS', KEYS[4])
if ARGV[3] ~= '0' then
  local id = redis.call('LINDEX', KEYS[2], -1)
  while id do
    local waiting = redis.call('LLEN', KEYS[1]) + redis.call('LLEN', KEYS[2])
    if max == 0 then return { waiting, slow } end
    local data = redis.call('HGET', ARGV[1] .. id, 'data')
    if data then
      local left = tonumber(redis.call('HGET', ARGV[1] .. id, 'left') or '0') + 1
      if ARGV[3] == '1' then redis.call('HSET', ARGV[1] .. id, 'left', left) end
      return { waiting - 1, slow, id, data, left + 1 }
    end
    redis.call('RPOP', KEYS[2])
    id = redis.call('LINDEX', KEYS[2], -1)
  end
end

if slow == 1 then max = math.min(max, 1) end
local queued = { 0, slow }
-- Jobs of a bulk's entries are `<bulk>.000`, `<bulk>.001`, ...; there are a hundred at most.
local bulk
local function is_more()
  if #queued < 2 + 3 * max then return true end
  local next = bulk and slow == 0 and redis.call('LINDEX', KEYS[1], -1)
  return next and string.match(next, '^(.*)%.%d%d%d$') == bulk
end
if redis.call('HEXISTS', KEYS[3], 'paused') == 0 then
  while is_more() do
    local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
    if not id then break end
    bulk = string.match(id, '^(.*)%.%d%d%d$')
    local data = redis.call('HGET', ARGV[1] .. id, 'data')
    if data then
      queued[#queued + 1] = id
      queued[#queued + 1] = data
      queued[#queued + 1] = 1
    else
      redis.call('LREM', KEYS[2], 0, id)
    end
  end
  queued[1] = redis.call('LLEN', KEYS[1])
end
return queued
