/** Scenes for `--image-source assets`, drawn as SVG: shapes, edges and smooth areas as photographs have them. */
export function pictures(): Buffer[] {
  return [shore(), street(), still(), field()].map((drawing) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="768">${drawing}</svg>`))
}

const sky = (id: string, top: string, bottom: string) =>
  `<defs><linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="1024" height="768" fill="url(#${id})"/>`

function shore(): string {
  const waves = Array.from({ length: 24 }, (_, at) => `<path d="M0 ${430 + at * 14} q 128 ${at % 2 ? 9 : -9} 256 0 t 256 0 t 256 0 t 256 0" stroke="#fff" stroke-opacity="${0.1 + (at % 5) * 0.06}" fill="none" stroke-width="${1 + (at % 3)}"/>`)
  return `${sky('a', '#2a6fb0', '#f6d7a7')}<circle cx="760" cy="250" r="60" fill="#fff3c4"/><rect y="420" width="1024" height="348" fill="#1d5f7a"/>${waves.join('')}<path d="M0 768 L0 690 Q300 640 620 768 Z" fill="#c9a66b"/>`
}

function street(): string {
  const houses = Array.from({ length: 9 }, (_, at) => {
    const height = 260 + ((at * 97) % 240)
    const windows = Array.from({ length: 12 }, (__, n) => `<rect x="${at * 116 + 18 + (n % 3) * 30}" y="${768 - height + 24 + Math.floor(n / 3) * 52}" width="18" height="28" fill="${(n + at) % 4 ? '#ffe9a8' : '#38465c'}"/>`)
    return `<rect x="${at * 116}" y="${768 - height}" width="108" height="${height}" fill="hsl(${(at * 41) % 360} 22% ${30 + (at % 4) * 8}%)"/>${windows.join('')}`
  })
  return `${sky('b', '#0e1a33', '#7a4f63')}${houses.join('')}<rect y="720" width="1024" height="48" fill="#2b2b2f"/>`
}

function still(): string {
  const fruit = Array.from({ length: 7 }, (_, at) => `<g><circle cx="${190 + at * 105}" cy="${500 - (at % 2) * 60}" r="${62 + (at % 3) * 10}" fill="hsl(${(at * 53) % 140} 75% 48%)"/><ellipse cx="${170 + at * 105}" cy="${470 - (at % 2) * 60}" rx="16" ry="10" fill="#fff" fill-opacity="0.5"/></g>`)
  return `${sky('c', '#d9cfc1', '#8a6f57')}<rect y="560" width="1024" height="208" fill="#6b4a33"/>${fruit.join('')}<path d="M120 560 Q512 720 900 560 Z" fill="#e8e3da"/>`
}

function field(): string {
  const blades = Array.from({ length: 160 }, (_, at) => `<path d="M${(at * 61) % 1024} 768 q ${((at * 7) % 30) - 15} -${60 + ((at * 31) % 90)} ${((at * 13) % 40) - 20} -${100 + ((at * 17) % 120)}" stroke="hsl(${90 + (at % 30)} 55% ${25 + (at % 25)}%)" stroke-width="3" fill="none"/>`)
  return `${sky('d', '#88b7e6', '#eaf3d8')}<path d="M0 520 Q260 380 520 500 T1024 440 V768 H0 Z" fill="#6f9a4b"/><rect x="640" y="330" width="90" height="120" fill="#a5482f"/><path d="M620 335 L685 270 L750 335 Z" fill="#5a2a1f"/>${blades.join('')}`
}
