--[[
  Takes the oldest commands out of a tenant's queue: `take` of take.lua.

  KEYS[1] wait          BullMQ's list of the queue

  ARGV[1] queue, ARGV[2] max, ARGV[3] left: as there

  Returns what that returns.
]]
-- include take.lua
return take(ARGV[1], tonumber(ARGV[2]), ARGV[3])
