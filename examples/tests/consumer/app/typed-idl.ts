import idl from 'heaven-pools/idl' with { type: 'json' };

export const name: string = idl.metadata.name;
export const discriminators: number[][] = idl.instructions.map(({ discriminator }) => discriminator);
