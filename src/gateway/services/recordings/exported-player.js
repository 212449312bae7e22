// Plays the recording inside its own file, in a browser, with nothing but what the file holds: xterm.js stands before this, the data too.
(() => {
  const lines = document.getElementById('data').textContent.trim().split('\n');
  const head = JSON.parse(atob(lines[0]));
  const events = lines.slice(1).map(line => {
    const [ms, kind, rest] = line.split(' ');
    return { ms: Number(ms), kind, rest };
  });
  const durationMs = Math.max(1, events.at(-1)?.ms ?? 0);
  const terminal = new Terminal({
    cols: head.cols,
    rows: head.rows,
    scrollback: 1000,
    disableStdin: true,
    // What was printed may hold links: none of them leads anywhere from here.
    linkHandler: { activate() {} },
  });
  terminal.open(document.getElementById('screen'));
  const [play, slider, time, speed] = ['play', 'moment', 'time', 'speed'].map(id => document.getElementById(id));
  slider.max = String(durationMs);
  let at = 0;
  let done = 0;
  let playing = true;
  let last = null;

  const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const clock = ms => new Date(ms).toISOString().slice(11, 19);
  function show(ms) {
    if (ms < at) {
      terminal.reset();
      terminal.resize(head.cols, head.rows);
      done = 0;
    }
    at = Math.min(ms, durationMs);
    for (; done < events.length && events[done].ms <= at; done += 1) {
      const { kind, rest } = events[done];
      if (kind === 'o') terminal.write(bytesOf(rest));
      else {
        const [cols, rows] = rest.split('x').map(Number);
        // In its turn among the writes, which xterm draws later.
        terminal.write('', () => terminal.resize(cols, rows));
      }
    }
    slider.value = String(at);
    time.textContent = `${clock(at)} / ${clock(durationMs)}`;
    if (at >= durationMs) playing = false;
    play.textContent = playing ? 'Pause' : 'Play';
  }
  const toggle = () => {
    if (!playing && at >= durationMs) show(0);
    playing = !playing;
    show(at);
  };
  play.addEventListener('click', toggle);
  slider.addEventListener('input', () => show(Number(slider.value)));
  document.addEventListener('keydown', event => {
    if (event.key === ' ' && event.target !== play) {
      event.preventDefault();
      toggle();
    }
  });
  requestAnimationFrame(function frame(now) {
    if (playing && last !== null) show(at + (now - last) * Number(speed.value));
    last = now;
    requestAnimationFrame(frame);
  });
})();
