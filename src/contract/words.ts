/** Whether a text holds every word of what is searched for, in any order and case. No word: every text does. */
export function wordsFilter(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return text => {
    const held = text.toLowerCase();
    return words.every(word => held.includes(word));
  };
}
