-- A small game server: players wander about a map, meet, and now and then the world is saved.
local players, size = {}, 40

for i = 1, 120 do
  players[i] = { x = (i * 37) % size, y = (i * 53) % size, met = 0 }
end

local function wander(p, n)
  p.x = (p.x + math.sin(n * 0.1 + p.y)) % size
  p.y = (p.y + math.cos(n * 0.1 + p.x)) % size
end

local function meet()
  local cells = {}
  for _, p in ipairs(players) do
    local key = math.floor(p.x) * size + math.floor(p.y)
    if cells[key] then
      p.met = p.met + 1
    end
    cells[key] = p
  end
end

local function save()
  local lines = {}
  for i, p in ipairs(players) do
    lines[i] = string.format("%d %.3f %.3f %d", i, p.x, p.y, p.met)
  end
  return table.concat(lines, "\n")
end

function tick(n)
  for _, p in ipairs(players) do
    wander(p, n)
  end
  meet()
  if n % 100 == 0 then
    save()
  end
end
