--[[
  Takes the oldest commands out of a tenant's queue: `take` of take.lua.

  KEYS[1] wait          BullMQ's list of the queue

  ARGV[1] queue, ARGV[2] max, ARGV[3] left: as there
  ARGV[4] call          as of calls.lua

  Returns what that returns.
]]
-- include calls.lua
-- include take.lua
local taken, took = take(ARGV[1], tonumber(ARGV[2]), ARGV[3], noted_of(ARGV[4]))
if #taken > 2 then note_call(ARGV[4], took) end
return taken
