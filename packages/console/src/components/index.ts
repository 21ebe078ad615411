export {
  type Act,
  ActDialog,
  type ActDialogProps,
  Acts,
  jsonProblem,
  type Offer,
  type Question,
  type Why,
} from './act-dialog.tsx';
export { Button, type ButtonProps } from './button.tsx';
export { Chart, type ChartPanel } from './chart.tsx';
export { CommandLine, copy } from './command-line.tsx';
export { Dialog } from './dialog.tsx';
export { Download } from './download.tsx';
export { Choice, Field, Seg, Select } from './fields.tsx';
export { Bar, Figure, Sparkline, Strip } from './figures.tsx';
export { Cols, Effect, Facts, Page, Panes, Section } from './layout.tsx';
export { type Column, Link, List, ListSection, Switch, type Ticked, Two, textOf } from './list.tsx';
export { Empty, ErrorNotice, Loaded, Notice, Skeleton } from './notices.tsx';
export { Glyph, State, stateWord, Tier, type TierName, type Tone, tierOf } from './state.tsx';
export { Id, Json, Time, Token } from './text.tsx';
export { toast } from './toast.tsx';
export { type ListPage, type ListSource, VirtualList } from './virtual-list.tsx';
