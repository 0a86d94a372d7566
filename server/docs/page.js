// What the page does beyond reading: fills in the reader's key and address, filters the contents, copies examples, and
// marks where the reader is. The key lives in the page's text only; nothing is stored and nothing is sent.

const all = selector => [...document.querySelectorAll(selector)]
const byId = id => document.getElementById(id)

for (const element of all('.key, .filter, .copy')) element.hidden = false
for (const element of all('[data-base]')) element.textContent = location.origin

const keyField = byId('key')
keyField.value = ''
keyField.addEventListener('input', () => {
  const key = keyField.value.trim()
  // Anything else than a key's characters must not get into a command that will be pasted into a shell.
  const shown = /^[A-Za-z0-9_]+$/.test(key) ? key : '$TOKEN'
  for (const element of all('[data-key]')) element.textContent = shown
})

const menu = byId('menu')
const filter = byId('filter')
const lines = all('.contents li[data-words]')
const groups = all('.contents h2').map(heading => ({ heading, list: heading.nextElementSibling }))

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const line of lines) line.hidden = !words.every(word => line.dataset.words.includes(word))
  let shown = 0
  for (const { heading, list } of groups) {
    const items = [...list.children]
    const isGuides = !items.some(item => item.dataset.words)
    const hidden = words.length > 0 && (isGuides || items.every(item => item.hidden))
    heading.hidden = hidden
    list.hidden = hidden
    if (!hidden) shown++
  }
  byId('no-match').hidden = shown > 0
}
filter.value = ''
filter.addEventListener('input', applyFilter)
filter.addEventListener('keydown', event => {
  if (event.key === 'Enter')
    lines
      .find(line => !line.hidden)
      ?.querySelector('a')
      .click()
  if (event.key !== 'Escape') return
  filter.value = ''
  applyFilter()
})
document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  menu.checked = true
  filter.focus()
})

for (const button of all('.copy')) {
  button.addEventListener('click', async () => {
    const code = button.closest('figure').querySelector('code').textContent
    try {
      await navigator.clipboard.writeText(code)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Select and copy by hand'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

for (const link of all('.contents a')) {
  link.addEventListener('click', () => {
    menu.checked = false
  })
}

// The last section whose head has passed the upper part of the window is where the reader is.
const links = new Map(all('.contents a').map(link => [link.hash.slice(1), link]))
const sections = all('main section[id]').filter(section => links.has(section.id))
let current
function markCurrent() {
  const passed = sections.filter(section => section.getBoundingClientRect().top < 140).at(-1) ?? sections[0]
  const link = links.get(passed?.id)
  if (link === current) return
  current?.removeAttribute('aria-current')
  link?.setAttribute('aria-current', 'true')
  current = link
  const nav = document.querySelector('.contents')
  if (!link || nav.scrollHeight <= nav.clientHeight) return
  const { top, bottom } = link.getBoundingClientRect()
  const bounds = nav.getBoundingClientRect()
  if (top < bounds.top + 60 || bottom > bounds.bottom - 20) nav.scrollTop += top - bounds.top - bounds.height / 3
}
let waiting = false
addEventListener(
  'scroll',
  () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      markCurrent()
    })
  },
  { passive: true },
)
markCurrent()

addEventListener('beforeprint', () => {
  for (const details of all('details')) details.open = true
})
