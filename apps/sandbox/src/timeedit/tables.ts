/** A page of the timetable as a table (reference timetable.md §1): as CSV, as text or as a web page. */

import { html, page as webPage } from '../http/html.ts';
import { asJson, type Page } from './forms.ts';
import { FORMS, pageName } from './names.ts';

const TIMES = ['Begin date', 'Begin time', 'End date', 'End time'];

/** Writes lines with local times, without IDs. */
function linesOf(page: Page): string[][] {
  const { columnheaders, reservations } = asJson(page);
  return [
    [...TIMES, ...columnheaders],
    ...reservations.map(({ startdate, starttime, enddate, endtime, columns }) => [
      startdate,
      starttime,
      enddate,
      endtime,
      ...columns,
    ]),
  ];
}

export function asCsv(page: Page): string {
  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return linesOf(page)
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
}

export function asText(page: Page): string {
  return linesOf(page)
    .map((cells) => `${cells.map((cell) => cell.replaceAll(/\s+/g, ' ')).join('\t')}\r\n`)
    .join('');
}

/** @param query the page's query, which links to other formats contain in their names */
export function asWebPage(page: Page, query: string): string {
  const [head = [], ...rows] = linesOf(page);
  const { reservations } = asJson(page);
  return webPage(
    `Timetable ${page.campus}`,
    html`<h1>Timetable ${page.campus}</h1>
<p>${FORMS.map((form) => html`<a href="${pageName(form, query)}">${form}</a> `)}</p>
<div class="scroll"><table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
      (cells, at) =>
        html`<tr>${cells.map((cell, column) =>
          column === 0
            ? html`<td><a href="ri.html?id=${reservations[at]?.id}">${cell}</a></td>`
            : html`<td>${cell}</td>`,
        )}</tr>`,
    )}</tbody></table></div>`,
  );
}
