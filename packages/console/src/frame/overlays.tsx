import { useSignal } from '@preact/signals';
import { Dialog } from '../components/dialog.tsx';
import { copy } from '../components/index.ts';
import { togglePaused } from '../live.ts';
import { whyNot } from '../me.ts';
import { toggleTheme, zone } from '../prefs.ts';
import { navigate } from '../router.ts';
import { VIEWS } from '../views/index.ts';
import { NavLink } from './nav.tsx';
import { overlay } from './overlay.ts';

/** The overlay that is open. */
export function Overlays() {
  if (overlay.value === 'help') return <Help />;
  if (overlay.value === 'palette') return <Palette />;
  if (overlay.value === 'more') return <More />;
  return null;
}

const close = () => {
  overlay.value = undefined;
};

const KEYS: readonly (readonly [what: string, keys: string])[] = [
  ['Search', '/'],
  ['Commands', 'Ctrl K'],
  ...VIEWS.flatMap(({ label, key }) => (key ? [[label, `g ${key}`] as const] : [])),
  ['Next, previous row', 'j k'],
  ['Tick row', 'x'],
  ['Tick to here', 'Shift x'],
  ['Open', 'Enter'],
  ['Next, previous item', '] ['],
  ['Close, go back', 'Esc'],
  ['Actions of this row', '.'],
  ['Live, paused', 'r'],
  ['Theme', 't'],
  ['Copy link', 'y'],
  ['This list', '?'],
];

function Help() {
  return (
    <Dialog title="Keys" onClose={close} wide>
      <ul class="keys">
        {KEYS.map(([what, keys]) => (
          <li key={what}>
            {what}
            <span>
              {(keys === 'Ctrl K' ? [keys] : keys.split(' ')).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function More() {
  return (
    <Dialog title="All views" onClose={close}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside have the keys; this only closes the list. */}
      <nav class="all-views" aria-label="All views" onClick={close}>
        {VIEWS.map((view) => (
          <NavLink key={view.name} view={view} />
        ))}
      </nav>
    </Dialog>
  );
}

interface Command {
  readonly text: string;
  readonly note: string;
  readonly run: () => void;
}

function commands(): readonly Command[] {
  const acts: Command[] = [
    {
      text: 'Engage kill switch…',
      note: whyNot('admin') ?? 'opens a dialog',
      run: () => navigate('/control?act=engage'),
    },
    {
      text: 'Pause a queue…',
      note: whyNot('operator') ?? 'opens a dialog',
      run: () => navigate('/control?act=pause'),
    },
    { text: 'Compare policies', note: '', run: () => navigate('/policies/compare') },
    { text: 'Live or paused', note: 'r', run: togglePaused },
    { text: 'Dark or light', note: 't', run: toggleTheme },
    {
      text: 'UTC or local time',
      note: '',
      run: () => (zone.value = zone.value === 'utc' ? 'local' : 'utc'),
    },
    { text: 'Copy link', note: 'y', run: () => copy(location.href, 'The link is copied.') },
    { text: 'Keys', note: '?', run: () => (overlay.value = 'help') },
  ];
  const pages = VIEWS.map(({ label, path, key }) => ({
    text: `Go to ${label}`,
    note: key ? `g ${key}` : '',
    run: () => navigate(path),
  }));
  return [...pages, ...acts];
}

function Palette() {
  const text = useSignal('');
  const at = useSignal(0);
  const words = text.value.toLowerCase().split(/\s+/);
  const found = commands().filter((each) =>
    words.every((word) => each.text.toLowerCase().includes(word)),
  );
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  return (
    <Dialog title="Commands" onClose={close} onSubmit={() => run(found[at.value])}>
      <input
        class="in"
        aria-label="Command"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${at.value}`}
        autocomplete="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by === undefined || found.length === 0) return;
          event.preventDefault();
          at.value = (at.value + by + found.length) % found.length;
        }}
      />
      <div id="commands" class="commands" role="listbox" aria-label="Commands">
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the chosen one.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input.
          <div
            key={each.text}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at.value}
            class={index === at.value ? 'on' : ''}
            onClick={() => run(each)}
          >
            <span>{each.text}</span>
            <span class="muted">{each.note}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
