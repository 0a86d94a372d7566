--[[
  Takes the oldest commands out of a tenant's mailbox, in their order, as BullMQ's moveToActive would one by one. What a
  holder that died left active comes first; only whoever holds the tenant may ask for it.

  KEYS[1] wait, KEYS[2] active, KEYS[3] meta    BullMQ's lists and settings of the mailbox

  ARGV[1] jobs          what the keys of the jobs' hashes begin with
  ARGV[2] max           commands in all; those that were left come all the same
  ARGV[3] left          '1': with those that are active already

  Returns { waiting (how many more may be taken), job id, data, job id, data ... }
]]
local mail = { 0 }
local function read(id)
  local data = redis.call('HGET', ARGV[1] .. id, 'data')
  if data then
    mail[#mail + 1] = id
    mail[#mail + 1] = data
  else
    redis.call('LREM', KEYS[2], 0, id)
  end
end

if ARGV[3] == '1' then
  local left = redis.call('LRANGE', KEYS[2], 0, -1)
  for at = #left, 1, -1 do read(left[at]) end
end
if redis.call('HEXISTS', KEYS[3], 'paused') == 0 then
  local last = 1 + 2 * tonumber(ARGV[2])
  while #mail < last do
    local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
    if not id then break end
    read(id)
  end
  mail[1] = redis.call('LLEN', KEYS[1])
end
return mail
