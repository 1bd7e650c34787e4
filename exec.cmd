@rem Windows has no exec. npm's scripts start their programs through this file there.
@%*
