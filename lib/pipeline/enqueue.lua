--[[
  Adds a lost command to its tenant's queue, without a claim.

  KEYS[1] wait          BullMQ's waiting list of the tenant's queue
  KEYS[2] job           BullMQ's hash of the job
  KEYS[3] queued        as in claim.lua

  ARGV[1] job id
  ARGV[2] name          of the job, ARGV[3] its data, ARGV[4] its options, ARGV[5] its time (ms)
  ARGV[6] tenant, ARGV[7] tag of its shard

  Returns how many wait now; 0 where the queue has the job already. Refuses with an OOM error where Redis has too little room left.
]]
-- include memory-share.lua

if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if memory_share(ARGV[7]) > COMMANDS_SHARE_MAX then return redis.error_reply('OOM command not allowed: Redis is nearly full') end
redis.call('HSET', KEYS[2], 'name', ARGV[2], 'data', ARGV[3], 'opts', ARGV[4], 'timestamp', ARGV[5], 'delay', '0', 'priority', '0')
redis.call('SADD', KEYS[3], ARGV[6])
return redis.call('LPUSH', KEYS[1], ARGV[1])
