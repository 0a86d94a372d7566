--[[
  How full Redis is. Other scripts include this file: two shares of maxmemory stay free, so that a tenant's answers never take the room
  of commands, and commands that were accepted can end. BullMQ takes no job from a full Redis.
]]
local ANSWERS_SHARE_MAX = 0.75
local COMMANDS_SHARE_MAX = 0.9

-- The share of maxmemory that is in use; 0 without a limit. The first call of a script takes 10 us.
local share
local function memory_share()
  if share then return share end
  local memory = redis.call('INFO', 'memory')
  local max = tonumber(memory:match('\nmaxmemory:(%d+)'))
  share = max > 0 and tonumber(memory:match('\nused_memory:(%d+)')) / max or 0
  return share
end
