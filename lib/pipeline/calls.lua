--[[
  What calls took whose answers may be lost. A connection that breaks sends again what was not answered, also what Redis has done: then the
  answer is the first one again. Other scripts include this file.

  call    the key of a call: a text of its own, alike whenever it is sent
]]
-- Twice a lease: after that the tenants that were taken are another holder's.
local CALL_TTL_MS = '8000'

-- What the call noted when Redis did it before; else false.
local function noted_of(call) return redis.call('GET', call) end

local function note_call(call, took) redis.call('SET', call, took, 'PX', CALL_TTL_MS) end
