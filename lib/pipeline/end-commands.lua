--[[
  Ends commands of tenants of one shard, in one step: their claims are settled, their jobs removed, and each tenant's next commands taken,
  or its lease ended where none wait.

  KEYS[1] wait          BullMQ's list of the shard's ready queue

  ARGV[1] tag           of the shard
  ARGV[2] spent_ttl, ARGV[3] written_ttl    ms
  ARGV[4] time          ms
  ARGV[5] call          as of calls.lua
  ARGV[6...] of each tenant:
    tenant
    left                what is taken next, as of take.lua; '' nothing, and the lease goes on
    max                 as of take.lua
    ready job, token    the lease; '' for none
    how many claims, and of each what settlement.lua names, in its order
    how many jobs, and their ids

  Returns of each tenant { what `take` of take.lua returns, then of each claim its waiting duplicates' addresses }. Where the lease is lost
  nothing is taken and nothing waits: another holder goes on.
]]
-- include calls.lua
-- include settlement.lua
-- include take.lua
local at = 5
local function argument()
  at = at + 1
  return ARGV[at]
end

local tag = ARGV[1]
local ready = tag .. ':ready:'

local function is_held(job, token) return job == '' or redis.call('GET', ready .. job .. ':lock') == token end

-- As BullMQ's moveToFinished ends the job; as its moveJobFromActiveToWait where commands wait. A server that found the job there added no
-- other: whoever came then is among the commands that were looked for just now.
local function end_lease(tenant, job, waits)
  redis.call('SREM', ready .. 'stalled', job)
  redis.call('LREM', ready .. 'active', '-1', job)
  if waits then
    redis.call('DEL', ready .. job .. ':lock')
    -- It waits from now on: metrics and the doctor ask who has waited longest.
    redis.call('HSET', ready .. job, 'timestamp', ARGV[4])
    redis.call('LPUSH', ready .. 'wait', job)
    if redis.call('HEXISTS', ready .. 'meta', 'paused') == 0 then redis.call('ZADD', ready .. 'marker', '0', '0') end
  else
    local own = redis.call('GET', ready .. 'de:' .. tenant) == job and 'de:' .. tenant or job
    redis.call('DEL', ready .. job .. ':lock', ready .. job, ready .. own)
  end
end

-- Of each tenant what was noted, or is to be.
local noted, notes, has_taken = nil, {}, false
local function take_next(tenant, queue, max, left)
  if noted == nil then noted = noted_of(ARGV[5]) end
  local taken, took = take(queue, max, left, noted and noted:sub(tenant, tenant))
  notes[tenant] = took
  has_taken = has_taken or took == '1'
  return taken
end

local tenants = {}
while at < #ARGV do
  local tenant, left, max, job, token = argument(), argument(), tonumber(argument()), argument(), argument()
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
  if left ~= '' and is_held(job, token) then
    ended[1] = take_next(#tenants + 1, queue, max, left)
    if #ended[1] == 2 and job ~= '' then end_lease(tenant, job, ended[1][1] > 0) end
  end
  tenants[#tenants + 1] = ended
end
write_notes()
if has_taken and not noted then note_call(ARGV[5], table.concat(notes)) end
return tenants
