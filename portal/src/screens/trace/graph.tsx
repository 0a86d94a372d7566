/** The graph as a picture: read from the left, scrolled where it is wide, its batches reached by keyboard. */
import './graph.css'
import { Box, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId, useMemo } from 'react'
import { countText } from '../../format.tsx'
import { documentPath } from '../../nouns.ts'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { useUnits, withUnit } from '../../patterns/units.tsx'
import type { BatchTrace as Trace } from '../../records.ts'
import { type Edge, graphOf, type Node } from './graph.ts'
import { kindText } from './rows.tsx'

const NODE = { width: 196, height: 44 } as const
const COLUMN_PX = 284
const ROW_PX = 62
const MARGIN_PX = 12
const ARROW = { markerWidth: '8', markerHeight: '8' }

const xOf = ({ column }: Node) => MARGIN_PX + column * COLUMN_PX
const yOf = ({ row }: Node) => MARGIN_PX + row * ROW_PX

export function TraceGraph({ label, trace }: { readonly label: string; readonly trace: Trace }) {
  const arrow = useId()
  const placeTitle = usePlaceTitle()
  const graph = useMemo(() => graphOf(trace, { kindText, placeTitle, countText }), [trace, placeTitle])
  const unitOf = useUnits(graph.edges.map(({ item_variant_id }) => item_variant_id))
  const width = (graph.columns - 1) * COLUMN_PX + NODE.width + 2 * MARGIN_PX
  const height = (graph.rows - 1) * ROW_PX + NODE.height + 2 * MARGIN_PX
  return (
    <>
      <Box className="trace-graph" tabIndex={0} role="region" aria-label={label}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          <title>{label}</title>
          <defs>
            <marker id={arrow} viewBox="0 0 8 8" refX="8" refY="4" {...ARROW} orient="auto-start-reverse">
              <path d="M0 0 8 4 0 8z" className="trace-arrow" />
            </marker>
          </defs>
          {graph.edges.map(edge => (
            <Way
              key={edge.key}
              edge={edge}
              text={withUnit(edge.quantity, unitOf(edge.item_variant_id))}
              arrow={`url(#${arrow})`}
              isBackward={trace.direction === 'backward'}
            />
          ))}
          {graph.nodes.map(node => (
            <Place key={node.key} node={node} isAsked={node.column === 0} />
          ))}
        </svg>
      </Box>
      {graph.isCut && (
        <Text size="sm" c="dimmed" px="sm" pb="sm">
          The graph shows only the first part of it. The table and the CSV file have all rows.
        </Text>
      )}
    </>
  )
}

type WayProps = { readonly edge: Edge; readonly text: string; readonly arrow: string; readonly isBackward: boolean }

/** Goods flow along the arrow: backward it points to what was asked for. */
function Way({ edge: { from, to }, text, arrow, isBackward }: WayProps) {
  const [x1, y1] = [xOf(from) + NODE.width, yOf(from) + NODE.height / 2]
  const [x2, y2] = [xOf(to), yOf(to) + NODE.height / 2]
  const bend = Math.max(40, (x2 - x1) / 2)
  return (
    <g>
      <path
        className="trace-way"
        d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
        {...(isBackward ? { markerStart: arrow } : { markerEnd: arrow })}
      />
      <text className="trace-quantity" x={x2 - 12} y={y2 - 5} textAnchor="end">
        {text}
      </text>
    </g>
  )
}

function Place({ node, isAsked }: { readonly node: Node; readonly isAsked: boolean }) {
  const { kind, title, text, of } = node
  const to = of === null ? undefined : documentPath(of.kind, of.id)
  const drawn = (
    <g className={`trace-node ${kind}${isAsked ? ' asked' : ''}`} transform={`translate(${xOf(node)} ${yOf(node)})`}>
      <title>{`${title}: ${text}`}</title>
      <rect width={NODE.width} height={NODE.height} rx={kind === 'order' ? 22 : 4} />
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the node has one; this cuts what is too long at its edge. */}
      <svg x={12} width={NODE.width - 24} height={NODE.height}>
        <text className="trace-title" y={18}>
          {cut(title, 20)}
        </text>
        <text className="trace-text" y={34}>
          {cut(text, 25)}
        </text>
      </svg>
    </g>
  )
  return to === undefined ? drawn : <Link to={to}>{drawn}</Link>
}

/** Lines in a picture do not break. The node's tooltip has the whole text. */
const cut = (text: string, length: number): string => {
  const signs = [...text]
  return signs.length <= length ? text : `${signs.slice(0, length - 1).join('')}…`
}
