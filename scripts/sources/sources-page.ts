import { DOCUMENTS } from './documents.ts';
import { READINGS } from './readings.ts';
import type { Proof, SourceDocument, SourceSection, Statement } from './statement.ts';

const HEAD = `# What the source documents say

<!-- Made from scripts/sources: see scripts/sources.test.ts. -->

Redrive began with five documents about retries. This page lists their statements, in our words. Each statement has the tests that prove it by using the product, or the [reading](#readings) that it follows: a document may leave something open, contradict another one, or describe a program of its own. The names of tests are those in the source; a name with \`%s\` or \`$name\` stands for one test per case.
`;

/** The page that lists every statement of the source documents with its proof. */
export function sourcesPage(): string {
  return [HEAD, ...DOCUMENTS.map(documentText), readingsText()].join('\n');
}

function documentText({ letter, title, sections }: SourceDocument): string {
  return [`## ${letter}. ${title}\n`, ...sections.map(sectionText)].join('\n');
}

function sectionText({ title, statements }: SourceSection): string {
  const lines = statements.map(statementLine);
  return `### ${title}\n\n| | statement | shown by |\n|---|---|---|\n${lines.join('\n')}\n`;
}

function statementLine({ id, says, by }: Statement): string {
  const shown = by.map((one) => (typeof one === 'string' ? readingLink(one) : proofLink(one)));
  return `| ${id} | ${inCell(says)} | ${shown.join('; ')} |`;
}

function proofLink({ file, test }: Proof): string {
  return `[${inCell(test).replaceAll('[', '\\[').replaceAll(']', '\\]')}](../../${file})`;
}

function readingLink(id: string): string {
  return `[reading ${id}](#${anchor(id)})`;
}

function readingsText(): string {
  const lines = Object.entries(READINGS).map(
    ([id, text]) => `| <a id="${anchor(id)}"></a>${id} | ${inCell(text)} |`,
  );
  return `## Readings\n\nHow we read the documents where they are open or disagree.\n\n| | reading |\n|---|---|\n${lines.join('\n')}\n`;
}

function anchor(id: string): string {
  return `reading-${id.toLowerCase()}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
