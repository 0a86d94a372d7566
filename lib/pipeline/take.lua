--[[
  Takes the oldest commands out of a tenant's queue, in their order, as BullMQ's moveToActive would one by one. Other scripts include this
  file. What a holder that died left active comes first, and alone: it may be what the holder died of. Each run of it counts with the job.
  Only whoever holds the tenant may ask for it, and only when all that it took is finished.

  queue   what BullMQ's keys of the queue begin with; `slow` stands beside them while the tenant's commands are handed out one by one
          (put-back.lua)
  max     commands in all, and what else of the last one's bulk waits behind it; 0 only counts
  abandoned  '1': with those that are active already, and counts a run of what it returns of them; '2': without counting; '0': not them
  again   false, or what this returned second when the same call did it before

  Returns { waiting (how many more may be taken), slow ('1' or '0'), then of each command: job id, data, attempt (1 for the first) };
  and what is to be noted of the call: '1': commands that waited were taken; '0': what was active, or nothing

  A connection that breaks sends again what was not answered, also what Redis has done: then the answer is the first one again. So each
  call has a key (`call`), a text of its own, alike whenever it is sent. Under it is noted what the call took.
]]
-- Twice a lease: after that the tenants that were taken are another holder's.
local CALL_TTL_MS = '8000'

-- What the call noted when Redis did it before; else false.
local function noted_of(call) return redis.call('GET', call) end

local function note_call(call, took) redis.call('SET', call, took, 'PX', CALL_TTL_MS) end

local function take(queue, max, abandoned, again)
  local wait, active = queue .. 'wait', queue .. 'active'
  local slow = redis.call('EXISTS', queue .. 'slow')
  if again == '1' then
    local taken = { redis.call('LLEN', wait), slow }
    local ids = redis.call('LRANGE', active, '0', '-1')
    for at = #ids, 1, -1 do
      local data = redis.call('HGET', queue .. ids[at], 'data')
      if data then
        taken[#taken + 1] = ids[at]
        taken[#taken + 1] = data
        taken[#taken + 1] = 1
      end
    end
    return taken, '1'
  end
  if abandoned ~= '0' then
    local id = redis.call('LINDEX', active, '-1')
    while id do
      local waiting = redis.call('LLEN', wait) + redis.call('LLEN', active)
      if max == 0 then return { waiting, slow }, '0' end
      local data = redis.call('HGET', queue .. id, 'data')
      if data then
        local runs = tonumber(redis.call('HGET', queue .. id, 'abandoned') or '0')
        local is_counted = abandoned == '1' and again == '0'
        if not is_counted then runs = runs + 1 end
        if abandoned == '1' and not is_counted then redis.call('HSET', queue .. id, 'abandoned', runs) end
        return { waiting - 1, slow, id, data, runs + 1 }, '0'
      end
      redis.call('RPOP', active)
      id = redis.call('LINDEX', active, '-1')
    end
  end

  if slow == 1 then max = math.min(max, 1) end
  local taken = { 0, slow }
  if redis.call('HEXISTS', queue .. 'meta', 'paused') == 1 then return taken, '0' end
  -- Jobs of a bulk's entries are `<bulk>.000`, `<bulk>.001`, ...; there are a hundred at most.
  local bulk
  local function is_more()
    if #taken < 2 + 3 * max then return true end
    local next = bulk and slow == 0 and redis.call('LINDEX', wait, '-1')
    return next and string.match(next, '^(.*)%.%d%d%d$') == bulk
  end
  while is_more() do
    local id = redis.call('RPOPLPUSH', wait, active)
    if not id then break end
    bulk = string.match(id, '^(.*)%.%d%d%d$')
    local data = redis.call('HGET', queue .. id, 'data')
    if data then
      taken[#taken + 1] = id
      taken[#taken + 1] = data
      taken[#taken + 1] = 1
    else
      redis.call('LREM', active, '0', id)
    end
  end
  taken[1] = redis.call('LLEN', wait)
  return taken, #taken > 2 and '1' or '0'
end
