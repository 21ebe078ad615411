import type { Plugin } from 'rolldown';

/** What bundlers take for a side effect, outside of functions: a getter, an iterator or a conversion could do anything. */
const MAY_HAVE_EFFECT = new Set([
  ...['CallExpression', 'NewExpression', 'MemberExpression', 'TaggedTemplateExpression'],
  ...['SpreadElement', 'TemplateLiteral', 'BinaryExpression', 'UnaryExpression'],
]);

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A node of the syntax tree, as far as it is looked at. */
interface Node extends Place {
  readonly type: string;
  readonly declaration?: Node | null;
  readonly declarations?: readonly { readonly init: Node | null }[];
}

/**
 * Lets bundlers of applications leave out each constant that is not used. `"sideEffects": false` says this of whole files,
 * which is no help where many of them are in one.
 */
export function markPure(): Plugin {
  return {
    name: 'pure constants',
    transform(code) {
      const body: readonly Node[] = this.parse(code, { lang: 'js' }).body;
      const places = body.flatMap((statement) => constantsOf(statement)).filter(mayHaveEffect);
      return { code: wrapped(code, places), map: null };
    },
  };
}

function constantsOf(statement: Node): readonly Node[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return (declared?.declarations ?? []).flatMap(({ init }) => init ?? []);
}

function mayHaveEffect(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some(mayHaveEffect);
  const { type } = node as { readonly type?: string }; // A part of the tree, or a plain value such as a pattern's flags.
  // A class keeps the name of its constant only without a function around it.
  if (type !== undefined && /Function|Class/.test(type)) return false;
  return MAY_HAVE_EFFECT.has(type ?? '') || Object.values(node).some(mayHaveEffect);
}

/** On the same lines, so that maps stay true. */
function wrapped(code: string, places: readonly Place[]): string {
  let end = 0;
  const parts = places.map((place) => {
    const before = code.slice(end, place.start);
    end = place.end;
    return `${before}/* @__PURE__ */ (() => (${code.slice(place.start, place.end)}))()`;
  });
  return parts.join('') + code.slice(end);
}
