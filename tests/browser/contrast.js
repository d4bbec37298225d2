// The texts whose contrast with what is behind them is below WCAG's AA: 4.5, or 3 where they are large.
() => {
  const channels = (colour) => {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    const scale = colour.startsWith("color(") ? 1 : 255;
    return [...numbers.slice(0, 3).map((n) => n / scale), numbers[3] ?? 1];
  };
  const luminance = (rgb) =>
    rgb.slice(0, 3).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [1, 1, 1, 1];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join("");
    if (!text || element.closest("script, style, svg, .hidden, .skip") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(channels(style.color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return faint;
}
