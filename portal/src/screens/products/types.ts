/** The kinds of products. */
export const TYPES = ['PRODUCT', 'MATERIAL', 'SERVICE'] as const
