--[[
  Cancels a command that has not begun: takes it out of the queue, with its claim.

  KEYS[1] record, KEYS[2] waiters: as in claim.lua
  KEYS[3] wait          BullMQ's waiting list of the tenant's queue
  KEYS[4] job           BullMQ's hash of the job

  ARGV[1] request id
  ARGV[2] job id

  Returns {0} when the command already runs or is gone, else {1, address of each waiting duplicate ...}
]]
if redis.call('LREM', KEYS[3], '1', ARGV[2]) == 0 then return { 0 } end
redis.call('DEL', KEYS[4])
if redis.call('HGET', KEYS[1], 'request') ~= ARGV[1] then return { 1 } end
local waiters = redis.call('LRANGE', KEYS[2], 0, -1)
redis.call('DEL', KEYS[1], KEYS[2])
-- `unpack` is not used here, since it takes at most 8,000 values.
table.insert(waiters, 1, 1)
return waiters
