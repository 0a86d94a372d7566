--[[
  How full Redis is. Other scripts include this file: two shares of maxmemory stay free, so that a tenant's answers never take the room
  of commands, and commands that were accepted can end. BullMQ takes no job from a full Redis.
]]
local ANSWERS_SHARE_MAX = 0.75
local COMMANDS_SHARE_MAX = 0.9

-- The share of maxmemory that is in use; 0 without a limit. A call takes 6 us.
local function memory_share()
  local memory = redis.call('INFO', 'memory')
  local max = tonumber(memory:match('maxmemory:(%d+)'))
  return max > 0 and tonumber(memory:match('used_memory:(%d+)')) / max or 0
end
