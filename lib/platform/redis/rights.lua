--[[
  Returns which of the given commands the user of the connection may not run, without running them. Redis before 7 cannot answer: then none.
  KEYS: 1 a key
  ARGV: commands with their arguments, KEY for the key: "set KEY x"
]]
local denied = {}
if not redis.acl_check_cmd then return denied end
for _, text in ipairs(ARGV) do
  local parts = {}
  for part in string.gmatch(text, '%S+') do
    parts[#parts + 1] = part == 'KEY' and KEYS[1] or part
  end
  if not redis.acl_check_cmd(unpack(parts)) then denied[#denied + 1] = parts[1] end
end
return denied
