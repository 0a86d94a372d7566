--[[
  Removes finished commands from a tenant's queue, as BullMQ's moveToFinished with removeOnComplete would one by one. One
  that is gone already (a second holder was quicker) is no error.

  KEYS[1] active        BullMQ's list of the queue

  ARGV[1] jobs          what the keys of the jobs' hashes begin with
  ARGV[2...] job ids

  Returns how many were there.
]]
local removed = 0
for at = 2, #ARGV do
  removed = removed + redis.call('LREM', KEYS[1], -1, ARGV[at])
  redis.call('DEL', ARGV[1] .. ARGV[at])
end
return removed
