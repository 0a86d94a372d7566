/** Refuses an id that no variant has. Callers often send the id of a product; then the message says so and lists the product's variants. */
import { mention, noSuch, type Refusal, type Words } from '../../kit/api/errors.ts'

/** The most variants in a message. */
const NAMED_MAX = 5

const productWords: Words = {
  text: `
    select i.id, ', but it is the product ' || i.title || case
        when v.count between 1 and ${NAMED_MAX} then ': give the id of a variant, ' || v.named
        when v.count > ${NAMED_MAX} then ': give the id of one of its variants'
        else ', which has no variant that is not archived'
      end as words
    from items i
    cross join lateral (
      select count(*), string_agg(id || coalesce(' (' || sku || ')', ''), ', ' order by id) as named from (
        select id, sku from item_variants
        where tenant_id = $1::bigint and item_id = i.id and active
        order by id limit ${NAMED_MAX + 1}
      ) first
    ) v
    where i.tenant_id = $1::bigint and i.id = any ($2::bigint[])`,
}

/** Refuses `validation_failed`. Whether the id is a product's is looked up only if the refusal becomes the answer. */
export function noSuchVariant(field: string, id: string): Refusal {
  return { ...noSuch(field, `variant${mention(id)}`), mentions: [{ words: productWords, id }] }
}
