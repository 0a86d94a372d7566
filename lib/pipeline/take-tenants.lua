--[[
  Takes the tenants that have waited longest out of a shard's ready queue, each with its oldest commands. A tenant's job becomes active as
  by BullMQ's moveToActive, with a lock that expires: the lease.

  KEYS[1] wait          BullMQ's list of the ready queue

  ARGV[1] tag           of the shard
  ARGV[2] tenants_max
  ARGV[3] commands_max  of each tenant
  ARGV[4] token         the holder of the leases; it also names the call
  ARGV[5] lease         ms
  ARGV[6] worker        its name, ARGV[7] the time (ms): what the board shows

  Returns for each tenant { tenant, ready job, what `take` of take.lua returns }
]]
-- include take.lua
local ready = ARGV[1] .. ':ready:'
local call = ARGV[1] .. ':call:' .. ARGV[4]
if redis.call('HEXISTS', ready .. 'meta', 'paused') == 1 then return {} end

local tenants, notes = {}, {}
local function take_of(tenant, job, again)
  local taken, took = take(ARGV[1] .. ':t' .. tenant .. ':', tonumber(ARGV[3]), '2', again)
  tenants[#tenants + 1] = { tenant, job, taken }
  notes[#tenants] = job .. ' ' .. took
end

-- The tenants that the call took before its answer was lost, if it still has their leases.
local noted = noted_of(call)
for job, took in string.gmatch(noted or '', '(%S+) (%d)') do
  if redis.call('GET', ready .. job .. ':lock') == ARGV[4] then take_of(redis.call('HGET', ready .. job, 'deid'), job, took) end
end

while not noted and #tenants < tonumber(ARGV[2]) do
  local job = redis.call('RPOPLPUSH', KEYS[1], ready .. 'active')
  if not job then break end
  local tenant = redis.call('HGET', ready .. job, 'deid')
  if tenant then
    redis.call('SET', ready .. job .. ':lock', ARGV[4], 'PX', ARGV[5])
    redis.call('HSET', ready .. job, 'processedOn', ARGV[7], 'pb', ARGV[6])
    take_of(tenant, job, false)
  else
    redis.call('LREM', ready .. 'active', '1', job)
  end
end

if #tenants > 0 then note_call(call, table.concat(notes, ' ')) end

-- The marker wakes blocked workers. It exists while tenants wait.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('ZADD', ready .. 'marker', '0', '0')
else
  redis.call('ZREM', ready .. 'marker', '0')
end
return tenants
