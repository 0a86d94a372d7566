--[[
  How full Redis is. Other scripts include this file. Two shares of maxmemory stay free: answers never take the room of commands, and
  accepted commands can end. BullMQ takes no job from a full Redis.
]]
local ANSWERS_SHARE_MAX = 0.75
local COMMANDS_SHARE_MAX = 0.9
-- INFO takes 25 us. Below this share its answer is cached: nothing fills a third of Redis in that time.
local HOLDS_SHARE_MAX = 0.4
local HOLDS_MS = '100'

-- The share of maxmemory in use; 0: there is no limit. `tag`: that of the script's shard.
local share
local function memory_share(tag)
  if share then return share end
  share = tonumber(redis.call('GET', tag .. ':memory') or nil)
  if share then return share end
  local memory = redis.call('INFO', 'memory')
  local max = tonumber(memory:match('\nmaxmemory:(%d+)'))
  share = max > 0 and tonumber(memory:match('\nused_memory:(%d+)')) / max or 0
  if share < HOLDS_SHARE_MAX then redis.call('SET', tag .. ':memory', tostring(share), 'PX', HOLDS_MS) end
  return share
end
