import { defineScript } from 'redis';

/** How many past windows of a counter are kept, to show its use over time. */
export const PAST_WINDOWS = 60;
export const pastOf = (key: string) => `${key}:past`;
export const WINDOW_NUMBERS = 1_048_576;
export const COUNT_RANGE = 4_294_967_296;

/** A request to charge: one key and limit per tier. */
export interface Charge {
  /** The keys share a hash tag, so that a cluster keeps them in one slot. */
  keys: readonly string[];
  limits: readonly number[];
  windowMs: number;
  /** The cost of the request in each tier. */
  cost: number;
  /** How many past windows of each counter to keep. */
  pastWindows: number;
}

/**
 * Charges requests one by one, each to every tier or to none, in clock-aligned windows by Redis TIME.
 * KEYS: the keys of all requests. ARGV, per request: the number of its tiers, its window in ms, how many past
 * windows to keep, its cost, the limit of each tier. Returns for each: {refusing tier from 1, or 0; now in
 * ms; the count of each tier}.
 */
const SCRIPT = `
local time = redis.call('TIME')
local time_ms = time[1] * 1000 + math.floor(time[2] / 1000)

-- A key holds the window's number (mod 2^20) times 2^32 plus the count: an older window reads as zero.
local function charge(keys, limits, window_ms, past_windows, cost)
  local now = time_ms
  local window = math.floor(now / window_ms)
  local stored = redis.call('MGET', unpack(keys))
  -- A window that has begun stays current when the clock steps back or a new master's clock is behind:
  -- otherwise both windows would be counted from zero.
  for i = 1, #keys do
    if stored[i] and math.floor(tonumber(stored[i]) / 4294967296) == (window + 1) % 1048576 then
      now = (window + 1) * window_ms
    end
  end
  local stamp = math.floor(now / window_ms) % 1048576 * 4294967296
  local reply = {0, now}
  local past = {}
  local keep_ms = window_ms * (past_windows + 1)
  for i = 1, #keys do
    local count = tonumber(stored[i] or 0) - stamp
    if count < 0 or count >= 4294967296 then
      past[i] = stored[i]
      count = 0
    end
    if reply[1] == 0 and count + cost > limits[i] then reply[1] = i end
    reply[i + 2] = count
  end
  if reply[1] == 0 then
    for i = 1, #keys do
      local count = reply[i + 2] + cost
      redis.call('SET', keys[i], string.format('%.0f', stamp + count), 'PX', keep_ms)
      if past[i] and past_windows > 0 then
        local list = keys[i] .. ':past'
        redis.call('LPUSH', list, past[i])
        redis.call('LTRIM', list, 0, past_windows - 1)
        redis.call('PEXPIRE', list, keep_ms)
      end
      reply[i + 2] = count
    end
  end
  return reply
end

local replies = {}
local key, arg = 0, 1
while key < #KEYS do
  local keys, limits = {}, {}
  local tiers = tonumber(ARGV[arg])
  for i = 1, tiers do
    keys[i] = KEYS[key + i]
    limits[i] = tonumber(ARGV[arg + 3 + i])
  end
  replies[#replies + 1] = charge(
    keys, limits, tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2]), tonumber(ARGV[arg + 3])
  )
  key = key + tiers
  arg = arg + 4 + tiers
end
return replies
`;

export const limiterScript = defineScript({
  SCRIPT,
  parseCommand(parser, charges: readonly Charge[]) {
    parser.push(String(charges.reduce((sum, { keys }) => sum + keys.length, 0)));
    for (const { keys } of charges) for (const key of keys) parser.pushKey(key);
    for (const { keys, limits, windowMs, pastWindows, cost } of charges) {
      const numbers = [keys.length, windowMs, pastWindows, cost, ...limits];
      parser.push(...numbers.map(String));
    }
  },
  transformReply: (reply: unknown) => reply as number[][],
});
