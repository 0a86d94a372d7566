--[[
  Takes the oldest commands out of a tenant's queue, in order, as BullMQ's moveToActive would one by one. Other scripts include this file.
  A command that a dead worker left active is abandoned: it comes first, and alone, because it may have killed the worker. The job counts
  its runs. Only the holder of the tenant's lease may call this, and only when all commands that it took have ended.

  queue   prefix of BullMQ's keys of the queue. Its key `slow` exists while the tenant's commands are given out one by one (put-back.lua)
  max     the most commands, plus the rest of the last one's bulk; 0 only counts
  abandoned  '1': takes abandoned commands first, and counts the run; '2': the same without counting; '0': takes waiting commands only
  again   false, or the second value that an earlier run of the same call returned

  Returns { waiting (how many more may be taken), slow ('1' or '0'), then for each command: job id, data, attempt (1 for the first) };
  and what to note of the call: '1': waiting commands were taken; '0': an abandoned one, or none

  A broken connection sends unanswered calls again, also calls that Redis has run. Such a call gets the first answer again. So each call
  has a key (`call`) that is the same whenever the call is sent. The key stores what the call took.
]]
-- Twice a lease: after that another worker holds the tenants that were taken.
local CALL_TTL_MS = '8000'

-- What the call noted if Redis has run it before; else false.
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
  -- Jobs of a bulk's entries are `<bulk>.000`, `<bulk>.001`, ...; at most a hundred.
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
